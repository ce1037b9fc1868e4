import Tallymark
import Testing

struct CorePathsTests {
  @Test func `an option names the only socket and the folder`() {
    #expect(CoreSocket.place(option: "/a/b.sock") == "/a/b.sock")
    #expect(CoreSocket.candidates(option: "/a/b.sock") == ["/a/b.sock"])
    #expect(BoardSocket.place(option: "/a/b.sock") == "/a/b.sock")
    #expect(BoardSocket.candidates(option: "/a/b.sock") == ["/a/b.sock"])
    #expect(CoreState.folder(option: "/a") == "/a")
  }
}
