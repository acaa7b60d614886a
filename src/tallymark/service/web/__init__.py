"""What every request passes before it reaches an endpoint: plain ASGI, for a layer of the framework's costs more."""
