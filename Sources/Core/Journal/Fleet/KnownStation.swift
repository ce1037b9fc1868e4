public import Fleet

/// Another station of the fleet, as the journal remembers it.
public struct KnownStation: Equatable, Sendable {
  public let name: String
  public let id: String
  /// The time at which the station was last heard, in microseconds since 1970; `nil` for never.
  public let seen: Int64?

  public init(name: String, id: String, seen: Int64?) { (self.name, self.id, self.seen) = (name, id, seen) }
}

/// The other stations. They are received again when the broker is connected.
extension CounterStore {
  /// The other stations. Invalid rows, which only a damaged journal has, are left out.
  public func knownStations() throws(StoreError) -> [KnownStation] {
    try fleetTables.statement("SELECT name, id, seen FROM fleet_station LIMIT 1024").rows {
      row throws(StoreError) -> KnownStation? in
      guard Membership.isName(row.text(0)), CounterID(row.text(1)) != nil else { return nil }
      return KnownStation(name: row.text(0), id: row.text(1), seen: row.optionalInteger(2))
    }.compactMap(\.self)
  }

  /// The name of the station of each writer, except this station's own writers.
  public func claims() throws(StoreError) -> [WriterID: String] {
    var claims: [WriterID: String] = [:]
    let rows = fleetTables.statement(
      "SELECT writer, station FROM fleet_writer WHERE station IS NOT NULL AND own = 0")
    _ = try rows.each([]) { row throws(StoreError) in
      if let writer = WriterID(row.text(0)), Membership.isName(row.text(1)) { claims[writer] = row.text(1) }
    }
    return claims
  }

  /// Saves all other stations in place of the saved ones.
  public func save(_ stations: [KnownStation]) throws(StoreError) {
    try begin()
    try fleetTables.statement("DELETE FROM fleet_station").run()
    for station in stations {
      try fleetTables.statement("INSERT INTO fleet_station VALUES (?, ?, ?)").run(
        .text(station.name), .text(station.id), .init(station.seen))
    }
  }

  /// Saves the station of a writer, if the journal has rows of that writer.
  public func save(_ station: String, of writer: WriterID) throws(StoreError) {
    try begin()
    try fleetTables.statement("UPDATE fleet_writer SET station = ?1 WHERE writer = ?2 AND station IS NOT ?1").run(
      .text(station), .text(writer.description))
  }
}
