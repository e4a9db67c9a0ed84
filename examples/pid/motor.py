"""Simulates a motor with a PID controller. Reads the gains kp, ki, kd from standard input, prints the cost of a step.

The cost is the time integral of the absolute error times the time, plus a price for the voltage's changes; the
simulation fails, as real ones do, when the motor runs away.
"""

import sys

kp, ki, kd = (float(word) for word in sys.stdin.readline().split())
dt, inertia, friction, delay = 0.01, 0.5, 0.2, 3
speed, integral, last_error, cost = 0.0, 0.0, 1.0, 0.0
voltages = [0.0] * (delay + 1)
for step in range(600):
    error = 1.0 - speed
    integral += error * dt
    voltage = max(-24.0, min(24.0, kp * error + ki * integral + kd * (error - last_error) / dt))
    cost += dt * (step * dt * abs(error) + 1e-3 * abs(voltage - voltages[-1]))
    last_error = error
    voltages.append(voltage)
    speed += dt * (voltages[-1 - delay] - friction * speed) / inertia
    if abs(speed) > 20:
        sys.exit(f"the motor ran away at {step * dt:.2f} s")
print(cost)
