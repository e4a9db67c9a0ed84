"""Drives a car over a rough road with a bump. Reads car.ini and writes ride.json: how much the car shakes (m/s^2), and
by how much the spring is bent beyond its limit (m)."""

import configparser
import json
import math
import random

car = configparser.ConfigParser()
car.read("car.ini")
stiffness = 4000 * car.getint("spring", "leaves")  # N/m
damping = car.getfloat("spring", "damping")  # N s/m
road = random.Random(car.get("road", "seed"))

BODY, WHEEL, TYRE, LIMIT = 300, 40, 180e3, 0.19  # kg, kg, N/m, m
STEPS, STEP = 1000, 0.002  # s
body = body_speed = wheel = wheel_speed = height = squares = travel = 0.0
for step in range(STEPS):
    height += road.gauss(0, 0.0005) - 0.01 * height
    bump = 0.05 if 200 <= step < 250 else 0.0
    gap = wheel - body
    force = stiffness * gap + 100 * math.sinh(gap / 0.03) + damping * (wheel_speed - body_speed)
    body_speed += STEP * force / BODY
    wheel_speed += STEP * (TYRE * (height + bump - wheel) - force) / WHEEL
    body += STEP * body_speed
    wheel += STEP * wheel_speed
    squares += (force / BODY) ** 2
    travel = max(travel, abs(gap))

bent = BODY * 9.81 / stiffness + travel
print(f"drove for {STEPS * STEP:.0f} s")
with open("ride.json", "w") as file:
    json.dump({"shaking": (squares / STEPS) ** 0.5, "excess": bent - LIMIT}, file)
