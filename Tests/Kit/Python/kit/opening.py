"""Events that come while another program opens a device."""

import ctypes
import os
import signal

C = ctypes.CDLL(None, use_errno=True)
IN_OPEN = 0x20


class Interruption:
    """Injects frames each time that a program opens the device, before that program does anything else with it: the child
    process that does so comes before all others, which stops them where there is one processor."""

    def __init__(self, device, *frames):
        watch = C.inotify_init()
        if watch < 0 or C.inotify_add_watch(watch, device.node.encode(), IN_OPEN) < 0:
            raise OSError(ctypes.get_errno(), f"watch {device.node}")
        ready, told = os.pipe()
        self.child = os.fork()
        if not self.child:
            try:
                os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
                os.write(told, b"x")
                while os.read(watch, 4096):
                    device.frames(*frames)
            finally:
                os._exit(1)
        os.close(watch)
        os.read(ready, 1)
        for descriptor in (ready, told):
            os.close(descriptor)

    def close(self):
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
