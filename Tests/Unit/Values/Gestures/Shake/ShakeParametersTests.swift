import Gestures
import Testing

@Suite struct ShakeParametersTests {
  @Test func `every parameter can be read and set by its name`() throws {
    for name in ShakeParameters.names {
      var parameters = ShakeParameters.firm
      let value = try #require(parameters[name])
      try parameters.set(name, to: value)
      #expect(parameters == .firm)
    }
    var parameters = ShakeParameters.firm
    try parameters.set("strokes", to: 5)
    #expect(parameters.strokes == 5)
    try parameters.set("longest-stroke", to: 0.4)
    #expect(parameters["longest-stroke"] == 0.4)
  }

  @Test func `a name that there is not, and a value that cannot be meant, are refused`() {
    var parameters = ShakeParameters.firm
    #expect(throws: ShakeParameters.Problem.unknown(name: "force")) { try parameters.set("force", to: 3) }
    for value in [-1, 2, 9, .nan, .infinity] {
      #expect(throws: ShakeParameters.Problem.outOfRange(name: "strokes", range: 3...8)) {
        try parameters.set("strokes", to: value)
      }
    }
    #expect(parameters == .firm)
    #expect(parameters["force"] == nil)
  }

  @Test func `a count must be whole`() {
    var parameters = ShakeParameters.firm
    #expect(throws: ShakeParameters.Problem.notWhole(name: "strokes")) { try parameters.set("strokes", to: 3.5) }
  }

  @Test func `a sensitivity changes how firm a shake must be and nothing else`() throws {
    var parameters = ShakeParameters.hard
    try parameters.set("rest", to: 1)
    parameters.set(.light)
    #expect(parameters["strength"] == ShakeParameters.light["strength"] && parameters["rest"] == 1)
  }
}
