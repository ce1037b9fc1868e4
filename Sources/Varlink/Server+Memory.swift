/// What is kept for clients between two turns of the loop, in bytes.
extension Server {
  /// So many bytes more are kept for a client of `user`, or fewer. Where it is too much, clients are disconnected.
  func hold(_ difference: Int, for user: UserAccount) {
    guard user.limits != nil else { return }
    held += difference
    user.held += difference
    while difference > 0, held > limits.held, let heaviest { heaviest.close() }
  }

  /// The client to be disconnected first.
  private var heaviest: Connection? {
    connections.values.lazy.filter { $0.held > 0 && $0.user.limits != nil }
      .max { ($0.user.held, $0.held) < ($1.user.held, $1.held) }
  }

  /// How many bytes of messages are handled before those are answered that a handler has put off. A call that is kept has
  /// its parameters in memory, and they can take forty times their text.
  private static let mostHandled = 256 << 10

  /// A message of so many bytes was handled.
  func noteHandled(_ bytes: Int) {
    handled += bytes
    if handled >= Self.mostHandled { answerPutOff() }
  }

  /// Has a handler that puts off answers give them.
  func answerPutOff() {
    handled = 0
    service.onPause()
  }
}
