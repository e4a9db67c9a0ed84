"""A simulator as people have them: reads an INI file, writes a JSON file, and says a lot in between."""

import configparser
import json
import math
import sys

config = configparser.ConfigParser()
config.read(sys.argv[1])
rate = config.getfloat("solver", "rate")
layers = config.getint("mesh", "layers")
print(f"solving with {layers} layers")
cost = math.log10(rate / 0.01) ** 2 + 0.1 * (layers - 4) ** 2
with open("result.json", "w") as out:
    json.dump({"run": {"cost": cost, "iterations": 7}}, out)
print("done")
