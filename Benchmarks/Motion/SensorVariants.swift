extension Sensor {
  /// The sensors that the rules are compared on, by name; the first one is the usual one.
  package static let variants: [(name: String, sensor: Sensor)] = [
    ("100 Hz", Sensor(rate: 100)),
    ("25 Hz", Sensor(rate: 25)),
    ("50 Hz", Sensor(rate: 50)),
    ("400 Hz", Sensor(rate: 400)),
    ("25 Hz, ±2 g", Sensor(rate: 25, range: 2 * standardGravity)),
    ("100 Hz, ±2 g", Sensor(rate: 100, range: 2 * standardGravity)),
    ("+10 %, 1 % lost", Sensor(rate: 100, scale: 1.1, loss: 0.01, jitter: 0.005)),
    ("-10 %, 1 % lost", Sensor(rate: 100, scale: 0.9, loss: 0.01, jitter: 0.005)),
    // Rates that common sensors have: ADXL, LSM6DS and LSM9DS1.
    ("31.25 Hz", Sensor(rate: 31.25)),
    ("52 Hz, ±2 g", Sensor(rate: 52, range: 2 * standardGravity)),
    ("104 Hz, noisy", Sensor(rate: 104, noise: 0.5)),
    ("119 Hz, ±4 g", Sensor(rate: 119, range: 4 * standardGravity)),
    ("200 Hz, 10 % lost", Sensor(rate: 200, loss: 0.1)),
    ("50 Hz, bad stamps", Sensor(rate: 50, jitter: 0.008, repeats: 0.05)),
    ("100 Hz, gaps", Sensor(rate: 100, gaps: 0.5)),
  ]

  private init(
    rate: Double, range: Double = 78.4, scale: Double = 1, noise: Double = 0.05, loss: Double = 0, jitter: Double = 0,
    repeats: Double = 0, gaps: Double = 0
  ) {
    self.init()
    (self.rate, self.range, self.scale, self.noise) = (rate, range, scale, noise)
    (self.loss, self.jitter, self.repeats, self.gaps) = (loss, jitter, repeats, gaps)
  }
}
