/// What a loudspeaker plays, in the words of a configuration.
public enum Sound: String, CaseIterable, Sendable {
  /// Short and high.
  case click
  /// Short and low, so that ears tell down from up.
  case thud
  /// Long, for what is worth stopping for.
  case chime
}
