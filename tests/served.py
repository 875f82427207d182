"""A server for tests: vouch serve on a free port, ended in any case; requests to it, whole or byte by byte."""
import atexit
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

PATIENCE = 240  # seconds, for slow machines and sanitizers


class Server:
    def __init__(self, vouch, *arguments, env=None, stderr=None):
        self.messages = stderr or tempfile.TemporaryFile()
        self.process = subprocess.Popen([vouch, 'serve', '--port', '0', *arguments], stdout=subprocess.PIPE,
                                        stderr=self.messages, env={**os.environ, **(env or {})})
        atexit.register(self.kill)
        self.url = self.process.stdout.readline().decode().strip()
        if not self.url:
            self.process.wait()
            raise RuntimeError(f'no server: {self.said()}')
        self.port = int(self.url.rstrip('/').rsplit(':', 1)[1])
        self.host = f'127.0.0.1:{self.port}'

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def said(self):
        self.messages.seek(0)
        return self.messages.read().decode(errors='replace')

    def wait_for(self, text):
        wait(lambda: text in self.said(), f'the server to say {text!r}')

    def connect(self):
        return http.client.HTTPConnection('127.0.0.1', self.port, timeout=PATIENCE)

    def ask(self, method, path, body=None, headers=None, connection=None):
        """Returns status, headers and body of the response."""
        own = connection or self.connect()
        own.request(method, path, body, headers or {})
        response = own.getresponse()
        answer = response.status, response.headers, response.read()
        if not connection:
            own.close()
        return answer

    def json(self, method, path, body=None, headers=None, status=200):
        found, _, text = self.ask(method, path, body if body is None else json.dumps(body),
                                  {'Content-Type': 'application/json', 'X-Vouch': '1', **(headers or {})})
        expect(f'{method} {path}', found, status)
        return json.loads(text)

    def raw(self, data, shut=False, pieces=None, pause=0.0):
        """Sends bytes as they are, in pieces if asked to, and returns all that comes back until the server closes."""
        with socket.create_connection(('127.0.0.1', self.port), timeout=PATIENCE) as s:
            got = b''
            try:
                for piece in pieces or [data]:
                    s.sendall(piece)
                    time.sleep(pause)
                if shut:
                    s.shutdown(socket.SHUT_WR)
                while part := s.recv(65536):
                    got += part
            except ConnectionError:
                pass
            return got


failures = []


def expect(what, found, expected):
    if found != expected:
        failures.append(what)
        shown = [repr(x) for x in (expected, found)]
        at = max(0, next((i for i, (a, b) in enumerate(zip(*shown)) if a != b), 0) - 60)
        print(f'{what}: expected ...{shown[0][at:at + 300]}, found ...{shown[1][at:at + 300]}')


def check(what, true):
    if not true:
        failures.append(what)
        print(f'{what}: it is not so')


def wait(until, what):
    end = time.monotonic() + PATIENCE
    while not until():
        if time.monotonic() > end:
            raise RuntimeError(f'waited too long for {what}')
        time.sleep(0.02)


def run(vouch, *arguments, data=None):
    return subprocess.run([vouch, *arguments], input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=True).stdout


def finish():
    print(f'{len(failures)} failed' if failures else 'all is well')
    sys.exit(bool(failures))
