/// The sounds of the loudspeaker, with their names in a configuration.
public enum Sound: String, CaseIterable, Sendable {
  /// Short and high.
  case click
  /// Short and low, so that down sounds different from up.
  case thud
  /// Long, for events that are worth a pause.
  case chime
}
