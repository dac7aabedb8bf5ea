"""Drops a file on a window as a file manager does, by XDND 5 through libX11."""

import ctypes

import window

SELECTION_REQUEST, SELECTION_NOTIFY, CLIENT_MESSAGE = 30, 31, 33
REPLACE, CURRENT_TIME, ATOM_BITS = 0, 0, 32
XDND_VERSION = 5


class ClientMessage(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("window", ctypes.c_ulong), ("message_type", ctypes.c_ulong),
                ("format", ctypes.c_int), ("data", ctypes.c_long * 5)]


class SelectionRequest(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("owner", ctypes.c_ulong), ("requestor", ctypes.c_ulong),
                ("selection", ctypes.c_ulong), ("target", ctypes.c_ulong), ("property", ctypes.c_ulong),
                ("time", ctypes.c_ulong)]


class SelectionNotify(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("requestor", ctypes.c_ulong), ("selection", ctypes.c_ulong),
                ("target", ctypes.c_ulong), ("property", ctypes.c_ulong), ("time", ctypes.c_ulong)]


class Event(ctypes.Union):
    _fields_ = [("type", ctypes.c_int), ("client", ClientMessage), ("request", SelectionRequest),
                ("notify", SelectionNotify), ("pad", ctypes.c_long * 24)]


class Source:
    """A client of the display that offers files."""

    def __init__(self, display_name):
        self.x11 = ctypes.CDLL("libX11.so.6")
        self.x11.XOpenDisplay.restype = ctypes.c_void_p
        self.x11.XInternAtom.restype = ctypes.c_ulong
        self.x11.XCreateSimpleWindow.restype = ctypes.c_ulong
        self.x11.XDefaultRootWindow.restype = ctypes.c_ulong
        self.display = ctypes.c_void_p(self.x11.XOpenDisplay(display_name.encode()))
        root = ctypes.c_ulong(self.x11.XDefaultRootWindow(self.display))
        self.window = self.x11.XCreateSimpleWindow(self.display, root, 0, 0, 1, 1, 0, ctypes.c_ulong(0),
                                                   ctypes.c_ulong(0))

    def close(self):
        self.x11.XCloseDisplay(self.display)

    def atom(self, name):
        return self.x11.XInternAtom(self.display, name.encode(), 0)

    def send(self, to, event):
        self.x11.XSendEvent(self.display, ctypes.c_ulong(to), 0, ctypes.c_long(0), ctypes.byref(event))
        self.x11.XFlush(self.display)

    def notify(self, target, message, *data):
        event = Event()
        event.client = ClientMessage(CLIENT_MESSAGE, 0, 1, self.display, target, self.atom(message), ATOM_BITS,
                                     (ctypes.c_long * 5)(self.window, *data))
        self.send(target, event)

    def wait_for(self, kind):
        """The next event of this kind."""
        event = Event()

        def arrived():
            while self.x11.XPending(self.display):
                self.x11.XNextEvent(self.display, ctypes.byref(event))
                if event.type == kind:
                    return True
            return False

        window.wait_for(f"event {kind} from the window", arrived)
        return event

    def give(self, request, text):
        """Answers a request for the selection."""
        self.x11.XChangeProperty(self.display, ctypes.c_ulong(request.requestor), ctypes.c_ulong(request.property),
                                 ctypes.c_ulong(request.target), 8, REPLACE, text, len(text))
        event = Event()
        event.notify = SelectionNotify(SELECTION_NOTIFY, 0, 1, self.display, request.requestor, request.selection,
                                       request.target, request.property, request.time)
        self.send(request.requestor, event)


def drop(display_name, target, *files):
    """Drops the files; returns once the window has received them."""
    source = Source(display_name)
    try:
        text = "".join(file.absolute().as_uri() + "\r\n" for file in files).encode()
        source.x11.XSetSelectionOwner(source.display, ctypes.c_ulong(source.atom("XdndSelection")),
                                      ctypes.c_ulong(source.window), ctypes.c_ulong(CURRENT_TIME))
        source.notify(target, "XdndEnter", XDND_VERSION << 24, source.atom("text/uri-list"), 0, 0)
        source.notify(target, "XdndPosition", 0, 0, CURRENT_TIME, source.atom("XdndActionCopy"))
        source.notify(target, "XdndDrop", 0, CURRENT_TIME, 0, 0)
        source.give(source.wait_for(SELECTION_REQUEST).request, text)
        while source.wait_for(CLIENT_MESSAGE).client.message_type != source.atom("XdndFinished"):
            pass
    finally:
        source.close()
