import Glibc
import Linux
import Tallymark
import Toml

/// Runs `tally-input` and `tally-inputd`, and reports the error that ends them.
public enum CommandRunner {
  /// Runs the program; ends the process with a sentence on standard error if that fails.
  ///
  /// The exit code is ``UsageError/code``, ``ConfigurationFile/wrongCode`` if a configuration is wrong, or else 1.
  public static func run(as name: String, _ body: () throws -> Void) {
    do {
      try body()
    } catch let error as UsageError {
      fail("\(name): \(error) See \(name) --help.", code: UsageError.code)
    } catch let errors as ConfigurationErrors {
      // The lines are printed without the program's name: each begins with the file's name.
      fail("\(errors)", code: ConfigurationFile.wrongCode)
    } catch {
      fail("\(name): \(error)", code: 1)
    }
  }

  private static func fail(_ sentence: String, code: Int32) -> Never {
    ServiceProcess.log(.error, sentence)
    exit(code)
  }
}
