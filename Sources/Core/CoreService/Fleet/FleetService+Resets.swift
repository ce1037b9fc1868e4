import CoreAPI
import Fleet
import Linux

/// Asks other stations for missing resets, sends resets that they ask for, and reports kept counts to new stations.
extension FleetService {
  /// Records the questions in a message, and asks its sender for missing resets.
  ///
  /// - Returns: the questions.
  func talk(
    about message: Message, _ learned: Station.Learned, from name: String, isRetained: Bool
  ) -> [Counters.Publication] {
    // The sender of a retained message does not wait for a reply.
    guard !isRetained else { return [] }
    let (period, now) = (message.period, Clock.boottime())
    if learned.isNew, !message.content.resets.isEmpty { resetTalk.hear(from: name, at: now) }
    if message.of == membership?.station {
      for reset in message.asked { resetTalk.answer(.init(period: period, reset: reset), at: now) }
    }
    let wanted = learned.wanted.filter { resetTalk.want(.init(period: period, reset: $0), of: name, at: now) }
    return answers(Message(period, asked: wanted, of: name).split())
  }

  /// The rows of resets that may be sent now to the stations that asked for them; the rest follows.
  func resetAnswers() -> [Counters.Publication] {
    defer { scheduleTalk() }
    return answers(resetTalk.answers(of: member.station, at: Clock.boottime()))
  }

  func sendDueMessages() { bridge.send(dueMessages()) }

  /// The messages that are due: kept counts, questions about resets and the history, and replies.
  func dueMessages() -> [Counters.Publication] {
    resetTalk.isScheduled = false
    guard membership != nil else { return [] }
    let knowledge = member.station.knowledge
    let questions = resetTalk.questions(at: Clock.boottime()) { knowledge[$0.period].isHeld($0.reset) }
    let news = kept.isDue ? allKept() : []
    kept.isDue = false
    return answers(questions.flatMap { Message($0.period, asked: $0.resets, of: $0.station).split() }) + news
      + historyQuestions() + resetAnswers()
  }

  private func scheduleTalk() {
    guard resetTalk.isWaiting || talk.isWaiting || kept.isDue, !resetTalk.isScheduled else { return }
    resetTalk.isScheduled = true
    talking?.arm(at: Clock.boottime() &+ ResetSync.second)
  }
}
