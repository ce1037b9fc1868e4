import Fleet
import Linux
import Tallymark

/// The proof that a journal continues, in a runtime folder, which a boot empties.
final class WriterProofFile {
  private let file: RecordFile?
  private var written: WriterProof?
  private var hasFailed = false

  /// - Parameters:
  ///   - state: the folder of the journal; its hash is a part of the file's name.
  ///   - runtime: the runtime folder; `nil` for none, which proves nothing.
  init(state: String, runtime: String?) {
    // The name only separates the cores of one user.
    let hash = FNV1a.hash(FileContent.realPath(state).utf8)
    file = runtime.map { RecordFile("\($0)/continuity-\(String(hash, radix: 16))") }
  }

  /// The runtime folder of this process: systemd's for the service, else the user's, else the system's.
  static var standardFolder: String? {
    if let folder = ServiceProcess.environment("RUNTIME_DIRECTORY")?.split(separator: ":").first {
      return String(folder)
    }
    let socket = CoreSocket.personal ?? CoreSocket.system
    return socket.lastIndex(of: "/").map { String(socket[..<$0]) }
  }

  /// The ID of the boot, from the environment (a test or systemd) or the kernel; `nil` if neither is known.
  static var standardBoot: String? {
    let given = ServiceProcess.environment("TALLYMARK_BOOT_ID")?.filter(\.isHexDigit)
    return given?.count == 32 ? given : Clock.bootID(fallback: nil)
  }

  /// The last proof; `nil` without a valid file.
  func read() -> WriterProof? {
    guard let words = file?.read(upTo: 256)?.split(separator: " ", omittingEmptySubsequences: false), words.count == 5,
      words[4] == "\n", let writer = WriterID(String(words[1])), let number = Int64(words[2]), number >= 0,
      let acts = Int64(words[3])
    else { return nil }
    return WriterProof(boot: String(words[0]), writer: writer, number: number, acts: acts)
  }

  /// Writes the proof, before the commit of its entry. Without it the next start begins a new writer, which is safe.
  func write(_ proof: WriterProof?) {
    guard let file, let proof, proof != written else { return }
    do throws(SystemError) {
      try file.write("\(proof.boot) \(proof.writer) \(proof.number) \(proof.acts) \n")
      written = proof
    } catch {
      // A proof of an earlier entry would be wrong.
      file.remove()
      written = nil
      if !hasFailed { ServiceProcess.log(.warning, "The proof that the journal continues could not be kept: \(error)") }
      hasFailed = true
    }
  }
}
