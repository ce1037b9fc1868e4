extension Sensor {
  /// The sensors that the rules are compared on, by name; the first one is the usual one.
  package static let variants: [(name: String, sensor: Sensor)] = [
    ("100 Hz", Sensor(rate: 100)),
    ("25 Hz", Sensor(rate: 25)),
    ("50 Hz", Sensor(rate: 50)),
    ("400 Hz", Sensor(rate: 400)),
    ("25 Hz, ±2 g", Sensor(rate: 25, range: 2 * standardGravity)),
    ("100 Hz, ±2 g", Sensor(rate: 100, range: 2 * standardGravity)),
    ("faulty, +10 %", Sensor(rate: 100, scale: 1.1, loss: 0.01, jitter: 0.005)),
    ("faulty, -10 %", Sensor(rate: 100, scale: 0.9, loss: 0.01, jitter: 0.005)),
  ]

  private init(rate: Double, range: Double = 78.4, scale: Double = 1, loss: Double = 0, jitter: Double = 0) {
    self.init()
    self.rate = rate
    self.range = range
    self.scale = scale
    self.loss = loss
    self.jitter = jitter
  }
}
