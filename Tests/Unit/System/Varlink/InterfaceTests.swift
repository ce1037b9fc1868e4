import Testing
import Varlink

/// The interface language: what it takes, what it refuses, and where it says the fault lies.
@Suite struct InterfaceTests {
  @Test(
    arguments: [
      "method M() -> ()", "method M(a: ?[]string) -> (b: [string]int)", "method M(a: [string](x: int)) -> ()",
      "method M(a: ?[string]string) -> ()", "method M(a: (one, two)) -> (b: (x: int, y: (z: bool)))",
      "type E (a, b)", "type E (a)", "type T ()", "error X ()", "error X (interface: string, type: int, bool: bool)",
      "method M(a: []?string) -> ()", "method M(a: [][]int) -> ()", "method M(a: [][string]int) -> ()",
      "method M(a: [string][]int) -> ()", "method M(a: [string]()) -> ()", "method M(a: any, b: object) -> ()",
      "type T (next: ?T)", "method M(a: T) -> ()\ntype T (x: int)", "method M(a_b: int, aB1: int, a1_2: int) -> ()",
      "# a comment\nmethod M( # one\n  # two\n  a: int # three\n) # four\n  -> # five\n() # six\n# seven",
      "type T (a: ?[]?[string](foo, bar))", "method Method1(a:int)->(b:int)", "type Interface (a: int)", "",
    ])
  func `a description in the language is taken`(members: String) throws {
    for text in ["interface org.example.x\n" + members, "\n # top\ninterface org.example.x # name\n\n\(members)\n\n"] {
      #expect(try Interface(text).name == "org.example.x")
      #expect(try Interface(text.split(separator: "\n").joined(separator: "\r\n")).name == "org.example.x")
    }
  }

  @Test(
    arguments: [
      ("method m() -> ()", 2, 8), ("method M()", 2, 11), ("method M() ->", 2, 14), ("method M -> ()", 2, 10),
      ("method M() -> () method N() -> ()", 2, 18), ("error X", 2, 8), ("error X (a, b)", 2, 9), ("type T []int", 2, 8),
      ("method M(a: (b, c)) -> (d, e)", 2, 24), ("type T (a__b: int)", 2, 9), ("type T (a_: int)", 2, 9),
      ("type T (_a: int)", 2, 9), ("type T (1a: int)", 2, 9), ("type T (a: int, a: int)", 2, 17),
      ("type T (a, a)", 2, 12),
      ("type T (a: int,)", 2, 16), ("type T (a: int b: int)", 2, 16), ("type T (a: ??int)", 2, 14),
      ("type T (a: Nothing)", 2, 12), ("type T (a: integer)", 2, 12), ("type T (a: [int]string)", 2, 12),
      ("type T (a:)", 2, 11), ("type T (a, b: int)", 2, 13), ("type T (a: int, b)", 2, 18),
      ("type T ()\nerror T ()", 3, 7), ("method M() -> ()\ntype M ()", 3, 6), ("enum E (a)", 2, 1), ("type", 2, 5),
      ("type T (é: int)", 2, 9), ("type T_U ()", 2, 6), ("interface org.example.y", 2, 1), ("type T (", 2, 9),
      (String(repeating: "type T (a: ", count: 1) + String(repeating: "[]", count: 5000) + "int)", 2, 140),
    ])
  func `what is wrong is refused with its place`(members: String, line: Int, column: Int) {
    #expect {
      try Interface("interface org.example.x\n" + members)
    } throws: { error in
      guard let error = error as? Interface.SyntaxError else { return false }
      #expect(error.line == line && error.column == column, "\(error)")
      return true
    }
  }

  @Test(
    arguments: [
      ("org.example", true), ("a.b", true), ("org.example-x.y1", true), ("o-r--g.1a.b", true), ("Org.Example", true),
      ("org", false), ("org.", false), (".org", false), ("org..x", false), ("1rg.x", false), ("-org.x", false),
      ("org-.x", false), ("org.-x", false), ("org.x-", false), ("org.x_y", false), ("", false),
    ])
  func `interface names follow their rule`(name: String, isName: Bool) {
    let interface = try? Interface("interface \(name)\nmethod M() -> ()")
    #expect((interface != nil) == isName)
  }

  @Test func `a description begins with the interface's name on a line of its own`() {
    for text in ["", "method M() -> ()", "interfaceorg.example.x", "interface org.example.x method M() -> ()"] {
      #expect(throws: Interface.SyntaxError.self) { try Interface(text) }
    }
  }

  @Test func `definitions are as they are written`() throws {
    let interface = try Interface(
      """
      interface org.example.x
      type Colour (red, green)
      method Paint(what: string, colour: ?Colour, layers: [](name: string)) -> (done: bool)
      error Dry (since: float)
      """)
    #expect(interface.types == ["Colour": .enumeration(["red", "green"])])
    #expect(interface.errors["Dry"]?.map(\.name) == ["since"])
    #expect(interface.errors["Dry"]?.map(\.type) == [.float])
    let paint = try #require(interface.methods["Paint"])
    #expect(paint.input.map(\.name) == ["what", "colour", "layers"])
    #expect(paint.input.prefix(2).map(\.type) == [.string, .nullable(.named("Colour"))])
    guard case .array(.structure(let layer)) = paint.input[2].type else {
      Issue.record("layers are \(paint.input[2].type)")
      return
    }
    #expect(layer.map(\.name) == ["name"])
    #expect(paint.output.map(\.type) == [.bool])
  }
}
