"""`python -m server` is the command `stet`."""

import sys

from server.cli import main

sys.exit(main())
