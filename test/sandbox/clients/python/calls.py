"""What the programs of this folder share. Each runs the calls of one client, in a sandbox that the
variable SANDBOX describes."""

import json
import os
import traceback
from importlib.metadata import version
from types import SimpleNamespace

# Addresses, ids and secrets of the sandbox.
sandbox = json.loads(os.environ["SANDBOX"], object_hook=lambda each: SimpleNamespace(**each))


def run(client, calls):
    """Runs the calls of a client one after the other, and prints a line of JSON for each."""
    for call, make in calls.items():
        line = {"client": client, "version": version(client), "call": call}
        try:
            make()
        except Exception:
            line["error"] = traceback.format_exc()
        print(json.dumps(line), flush=True)


def raises(kind, make):
    """The exception of a call that must fail."""
    try:
        make()
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} was not raised")
