import Counting

/// Rows that no core writes, in tables other than that of events: out of range, or about missing entities.
struct InvalidRow {
  let table: String
  let condition: String
  /// An SQL expression for the sentence that `tally verify` prints about the row.
  let sentence: String

  private static let lastEvent = "coalesce((SELECT max(sequence) FROM event), 0)"
  /// Far above any real epoch or delivery number, and far from the largest integer.
  private static let most = "(1 << 62)"

  static let all = [
    InvalidRow(
      table: "event",
      condition: "presence NOT BETWEEN -1 AND 1 OR marks & ~\(Event.Marks.known.rawValue)",
      sentence: "'Event ' || sequence || ' has a presence or marks that no event can have.'"),
    InvalidRow(
      table: "counter",
      condition: "step < 1 OR step_down < 1 OR locked NOT IN (0, 1) OR archived NOT IN (0, 1) OR removed NOT IN (0, 1)",
      sentence: "'Counter ' || id || ' is stored with a step or a state that no counter can have.'"),
    InvalidRow(
      table: "import",
      condition: """
        NOT (first >= 1 AND first <= last AND last <= \(lastEvent))
          OR EXISTS (SELECT 1 FROM import AS later WHERE later.first > import.first AND later.first <= import.last)
        """,
      sentence:
        "'The events ' || first || ' to ' || last || ' of an import do not exist, or some are of another import.'"
    ),
    InvalidRow(
      table: "producer",
      condition: "id < 1 OR epoch NOT BETWEEN 1 AND \(most) OR length(CAST(name AS BLOB)) NOT BETWEEN 1 AND 256",
      sentence:
        "'Producer ' || id || ' is stored with epoch ' || epoch || ' and a name of ' || length(name) || ' characters.'"
    ),
    InvalidRow(
      table: "delivery",
      condition: """
        sequence NOT BETWEEN 1 AND \(most) OR slot <> sequence % \(Producer.window) OR epoch < 1
          OR epoch > coalesce((SELECT epoch FROM producer WHERE id = delivery.producer), 0)
          OR NOT (first_event = 0 AND last_event = -1
            OR first_event >= 1 AND first_event <= last_event AND last_event <= \(lastEvent))
        """,
      sentence: """
        'Delivery ' || sequence || ' of epoch ' || epoch || ' of producer ' || producer || ' is stored with the events '
          || first_event || ' to ' || last_event || '; the producer, its epoch or these events do not exist.'
        """),
    InvalidRow(
      table: "alteration",
      condition:
        """
        field NOT IN (\(Field.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")))
          OR NOT EXISTS (SELECT 1 FROM event WHERE sequence = alteration.event AND marks & \(Event.Marks.altered.rawValue))
        """,
      sentence: "'A changed setting is stored for event ' || event || ', which changes no such setting.'"),
    InvalidRow(
      table: "standing",
      condition: "counter NOT IN (SELECT id FROM counter WHERE kind IN ('counter', 'stopwatch'))",
      sentence: "'A value is stored for counter ' || counter || ', which does not exist.'"),
    InvalidRow(
      table: "fleet_former",
      condition: """
        event NOT BETWEEN 0 AND \(lastEvent) OR dropped NOT BETWEEN 0 AND event OR length(id) <> 32 OR id GLOB '*[^0-9a-f]*'
          OR counter NOT IN (SELECT id FROM counter WHERE kind IN ('counter', 'stopwatch'))
        """,
      sentence: """
        'Counter ' || counter || ' is stored as one that was shared until event ' || event || '; there is no such counter '
          || 'or event, or no fleet names a counter so.'
        """),
  ]
}
