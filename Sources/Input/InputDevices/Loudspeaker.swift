import Calsa
public import Feedback
import Glibc
public import Linux

/// Plays sounds through ALSA, on a separate thread, because a device or a sound server may block.
///
/// The device is opened for the first sound and closed after some silence, so that other programs can use it and the
/// CPU can sleep. The first failure to open it is logged; later sounds try again.
public final class Loudspeaker: Sendable {
  private let worker: Worker<Sound>

  /// The length of the buffer, in microseconds. A sound is delayed by this time.
  private static let buffer: UInt32 = 40_000
  /// The number of samples mixed at a time: 10 ms.
  private static let period = Waveform.rate / 100
  /// The silence after which the device is closed, and the pause after a failure, in nanoseconds.
  private static let patience: Int64 = 3_000_000_000

  /// - Throws: if the system has no more threads.
  public init() throws(SystemError) {
    worker = try Worker(capacity: Mixer.mostVoices) { sounds in
      var player = Player()
      player.play(sounds)
    }
  }

  /// Plays a sound, without waiting.
  public func play(_ sound: Sound) { worker.mailbox.put(sound) }

  /// Stops playback, and waits for the end until ``Clock/boottime()`` reaches `deadline`.
  public func end(by deadline: Int64) { worker.end(by: deadline) }

  /// The state of the thread.
  @safe private struct Player {
    private var mixer = Mixer()
    private var device: OpaquePointer?
    /// The earliest time of the next attempt to open the device.
    private var retry: Int64 = 0
    private var hasComplained = false

    mutating func play(_ sounds: Mailbox<Sound>) {
      while true {
        let deadline = mixer.isSilent ? unsafe device.map { _ in Clock.boottime() + Loudspeaker.patience } : 0
        switch sounds.take(until: deadline) {
        case .message(let sound): if isReady() { mixer.add(sound) }
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
      let samples = mixer.next(Loudspeaker.period)
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
      case EACCES, EPERM:
        """
        the sound device may not be used. For a gesture daemon of your own: sudo usermod -aG audio "$USER", then log in \
        again; for the system's service: the drop-in of SECURITY.md (sudo systemctl edit tally-inputd.service).
        """
      case EBUSY: "another program has the sound device for itself."
      case let code: "the sound device failed: \(SystemError.reason(code))."
      }
    }
  }
}
