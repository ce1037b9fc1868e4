/// The description of `org.varlink.service`, which every service serves; its signatures are the standard's.
enum ServiceInterface {
  static let name = "org.varlink.service"

  static let description = """
    # What every Varlink service can say about itself.
    interface org.varlink.service

    # Who made this service, and the names of the interfaces that it serves.
    method GetInfo() -> (vendor: string, product: string, version: string, url: string, interfaces: []string)

    # The text that defines an interface.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # This service does not serve the interface.
    error InterfaceNotFound (interface: string)

    # The interface has no such method.
    error MethodNotFound (method: string)

    # The interface has the method, but this service does not do it.
    error MethodNotImplemented (method: string)

    # A parameter is missing, unknown or of the wrong type.
    error InvalidParameter (parameter: string)

    # The caller may not do this.
    error PermissionDenied ()

    # The method has to be called with "more".
    error ExpectedMore ()

    # The method has to be called with "upgrade".
    error ExpectedUpgrade ()

    """
}
