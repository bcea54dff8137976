"""Whether a URL answers: for services in a network namespace."""

import sys
import urllib.request

urllib.request.urlopen(sys.argv[1], timeout=5).read()
