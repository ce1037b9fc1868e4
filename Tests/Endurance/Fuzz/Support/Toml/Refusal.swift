import Toml

/// Ends it all where a configuration was refused and it is not said why and where.
func demandReasons(_ refusal: ConfigurationErrors) {
  demand(!refusal.errors.isEmpty, "a refusal says why")
  for error in refusal.errors {
    demand(error.line >= 0 && error.column >= 0 && !error.reason.isEmpty, "and where")
  }
  _ = "\(refusal)"
}
