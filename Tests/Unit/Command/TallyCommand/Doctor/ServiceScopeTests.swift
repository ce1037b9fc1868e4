import Glibc
import Linux
import Tallymark
import Testing

@testable import TallyCommand

/// Whose daemons the doctor looks at, and what it says of both.
struct ServiceScopeTests {
  private func unit(_ active: String, _ file: String = "disabled", load: String = "loaded") -> ServiceUnit {
    ServiceUnit(
      "tally-inputd.service", ["LoadState": load, "ActiveState": active, "UnitFileState": file, "Result": "exit-code"])
  }

  @Test func `a person's own daemons that run are his to look at`() {
    #expect(ServiceScope.scope(own: unit("active"), machine: unit("inactive")) == .person(beside: false))
    #expect(ServiceScope.scope(own: unit("active"), machine: unit("active", "enabled")) == .person(beside: true))
  }

  @Test func `own daemons that should run and do not are looked at where nobody else counts`() {
    for own in [unit("inactive", "enabled"), unit("failed")] {
      #expect(ServiceScope.scope(own: own, machine: unit("inactive")) == .person(beside: false))
      #expect(ServiceScope.scope(own: own, machine: unit("active")) == nil)
    }
  }

  @Test func `a person without own daemons has those of the machine`() {
    #expect(ServiceScope.scope(own: unit("inactive"), machine: unit("inactive")) == nil)
    #expect(ServiceScope.scope(own: ServiceUnit("tally-inputd.service", [:]), machine: unit("active")) == nil)
  }

  @Test func `own daemons beside the machine's are a fault, which disabling those of the machine mends`() throws {
    let fault = try #require(ServiceCheck.twice(.person(beside: true)).first)
    #expect(fault.severity == .fault)
    #expect(
      fault.remedy?.command == "sudo systemctl disable --now tally-inputd.service tallyd.socket tallyd.service")
    #expect(ServiceCheck.twice(.person(beside: false)).isEmpty)
    #expect(ServiceCheck.twice(.machine).isEmpty)
  }

  @Test(arguments: [(ServiceScope.machine, "sudo systemctl"), (.person(beside: false), "systemctl --user")])
  func `what mends a unit is said to the systemd that has it`(scope: ServiceScope, systemctl: String) throws {
    func remedy(_ unit: ServiceUnit) -> String? { ServiceCheck.finding(for: unit, scope).remedy?.command }
    let name = "tally-inputd.service"
    #expect(remedy(unit("inactive")) == "\(systemctl) enable --now \(name)")
    #expect(remedy(unit("active")) == "\(systemctl) enable \(name)")
    #expect(remedy(unit("active", "enabled")) == nil)
    #expect(
      remedy(unit("failed")) == "\(systemctl) reset-failed \(name) tallyd.service && \(systemctl) start \(name)")
    #expect(
      remedy(unit("inactive", "masked", load: "masked"))
        == "\(systemctl) unmask \(name) && \(systemctl) enable --now \(name)")
    #expect(
      remedy(unit("inactive", "masked-runtime", load: "masked"))
        == "\(systemctl) unmask --runtime \(name) && \(systemctl) enable --now \(name)")
    #expect(scope.restart("/run/x", isNamed: false).command == "\(systemctl) restart tallyd.service")
    #expect(scope.start("/run/x", isNamed: false).command == "\(systemctl) restart tallyd.socket")
  }

  @Test func `where no systemd has units nobody is told to use it`() {
    for remedy in [
      ServiceScope.nobody.start("/run/x", isNamed: false), ServiceScope.nobody.restart("/run/x", isNamed: false),
      ServiceScope.machine.start("/run/my x", isNamed: true), ServiceScope.machine.restart("/run/x", isNamed: true),
    ] {
      #expect(!remedy.command.contains("systemctl"))
    }
    #expect(ServiceScope.machine.start("/run/my x", isNamed: true).command == "tallyd --socket '/run/my x'")
  }

  @Test func `where only a permission is missing the doctor does not start another core`() {
    let fault = SocketCheck(scope: .nobody, isNamed: true, patience: 0).fault("/run/my x", EACCES)
    #expect(fault.sentence.hasPrefix("You may not connect to /run/my x: "))
    #expect(fault.remedy?.command == "namei -l '/run/my x'")
    #expect(ServiceScope.machine.permit("/run/x", isNamed: false).command == "sudo systemctl restart tallyd.socket")
  }
}
