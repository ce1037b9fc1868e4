import Calsa
public import Feedback
import Glibc
public import Platform

/// Plays sounds through ALSA, on a thread of its own: opening a device, and a sound server, may take as long as they
/// like.
///
/// The device is opened when there is something to be heard, and closed after a while of silence, so that it is there
/// for others and wakes nobody. Where it cannot be opened that is said once, and tried again at later sounds.
public final class Loudspeaker: Sendable {
  private let worker: Worker<Sound>

  /// How much is buffered ahead: the time from asking for a sound to hearing it, in microseconds.
  private static let buffer: UInt32 = 40_000
  /// So much is mixed at a time: 10 ms.
  private static let piece = Waveform.rate / 100
  /// How long silence lasts until the device is closed, and how long a device that failed is left alone, in nanoseconds.
  private static let patience: Int64 = 3_000_000_000

  /// - Throws: where the system has no more threads.
  public init() throws(SystemError) {
    worker = try Worker(capacity: Mixer.mostVoices) { sounds in
      var player = Player()
      player.play(sounds)
    }
  }

  /// Never waits.
  public func play(_ sound: Sound) { worker.letters.put(sound) }

  /// Falls silent, and waits for that until ``Clock/boottime()`` reaches `deadline`.
  public func end(by deadline: Int64) { worker.end(by: deadline) }

  /// What the thread has.
  @safe private struct Player {
    private var mixer = Mixer()
    private var device: OpaquePointer?
    /// Not to be tried again before.
    private var retry: Int64 = 0
    private var hasComplained = false

    mutating func play(_ sounds: Letterbox<Sound>) {
      while true {
        let deadline = mixer.isSilent ? unsafe device.map { _ in Clock.boottime() + Loudspeaker.patience } : 0
        switch sounds.take(until: deadline) {
        case .letter(let sound): if isReady() { mixer.add(sound) }
        case .nothing: if mixer.isSilent { close() } else { write() }
        case .closed: return close()
        }
      }
    }

    private mutating func isReady() -> Bool {
      if unsafe device != nil { return true }
      guard Clock.boottime() >= retry else { return false }
      var opened: OpaquePointer?
      let code = unsafe calsa_open(&opened, UInt32(Waveform.rate), Loudspeaker.buffer)
      unsafe device = opened
      if code < 0 { fail(code) }
      return code == 0
    }

    private mutating func write() {
      let samples = mixer.next(Loudspeaker.piece)
      var code = unsafe calsa_write(device, samples, UInt(samples.count))
      if code == 0, mixer.isSilent { code = unsafe calsa_drain(device) }
      if code < 0 {
        close()
        fail(code)
      }
    }

    private mutating func close() {
      if let open = unsafe device { unsafe calsa_close(open) }
      unsafe device = nil
      mixer = Mixer()
    }

    private mutating func fail(_ code: Int32) {
      retry = Clock.boottime() + Loudspeaker.patience
      guard !hasComplained else { return }
      hasComplained = true
      ServiceProcess.log(.warning, "Sounds are not heard: \(Self.reason(code))")
    }

    /// A sentence for the person who must act.
    private static func reason(_ code: Int32) -> String {
      switch SystemError("", code: code).code {
      case ENOENT:
        "there is no sound device, or ALSA's library is missing (sudo apt-get install libasound2)."
      case EACCES, EPERM: "the sound device may not be used (sudo usermod -aG audio \"$USER\", then log in again)."
      case EBUSY: "another program has the sound device for itself."
      case let code: "the sound device failed: \(SystemError.reason(code))."
      }
    }
  }
}
