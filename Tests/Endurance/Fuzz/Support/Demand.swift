/// Ends it all where something is not as it must be. Unlike a precondition it says in optimised code what.
func demand(_ condition: Bool, _ what: @autoclosure () -> String) {
  if !condition { fatalError(what()) }
}
