"""SNES, sep-CMA-ES, CR-FM-NES and LM-MA-ES as one writes them in NumPy: whole populations at a time, one candidate a row.

Written for benchmarks/large_scale.py from the papers that docs/reference/methods.md names, independently of the C++ program. CR-FM-NES
transforms weighted sums over the population, as Surefoot does, not the parts of each candidate.
"""

import numpy as np


def default_popsize(d):
    """4 + floor(3 ln d), made even."""
    n = 4 + int(3 * np.log(d))
    return n + n % 2


def zero_sum_weights(n):
    """Of the ranks 1 (best) to n."""
    w = np.maximum(0, np.log(n / 2 + 1) - np.log(np.arange(1, n + 1)))
    return w / w.sum() - 1 / n


def expected_norm(d):
    """E|N(0, I)|."""
    return np.sqrt(d) * (1 - 1 / (4 * d) + 1 / (21 * d * d))


class Snes:
    """Schaul et al. 2011."""

    def __init__(self, d, popsize, rng):
        self.rng, self.m, self.s = rng, np.full(d, 3.0), np.full(d, 2.0)
        self.w, self.eta, self.n = zero_sum_weights(popsize), (3 + np.log(d)) / (5 * np.sqrt(d)), popsize

    def ask(self):
        self.z = self.rng.standard_normal((self.n, self.m.size))
        return self.m + self.s * self.z

    def tell(self, f):
        w = np.empty(self.n)
        w[np.argsort(f)] = self.w
        self.m += self.s * (w @ self.z)
        self.s *= np.exp(self.eta / 2 * (w @ self.z**2))


class SepCma:
    """Ros and Hansen 2008, with the cmaes library's split of the rates."""

    def __init__(self, d, popsize, rng):
        self.rng, self.m, self.sigma, self.n, self.g = rng, np.full(d, 3.0), 2.0, popsize, 0
        self.C, self.p_sigma, self.p_c = np.ones(d), np.zeros(d), np.zeros(d)
        mu = popsize // 2
        self.w = np.zeros(popsize)
        self.w[:mu] = np.log(mu + 1) - np.log(np.arange(1, mu + 1))
        self.w /= self.w.sum()
        m = self.mu_eff = 1 / (self.w**2).sum()
        self.c_sigma = (m + 2) / (d + m + 3)
        self.d_sigma = 1 + 2 * max(0, np.sqrt((m - 1) / (d + 1)) - 1) + self.c_sigma
        self.c_c, self.c_1 = 4 / (d + 4), 2 / ((d + 1.3) ** 2 + m)
        rank_mu = min(1, (2 * m - 1) / ((d + 2) ** 2 + m))
        self.c_mu = min((d + 2) / 3 * (2 / (d + np.sqrt(2)) ** 2 / m + (1 - 1 / m) * rank_mu), 1 - self.c_1)

    def ask(self):
        self.z = self.rng.standard_normal((self.n, self.m.size))
        self.y = np.sqrt(self.C) * self.z
        return self.m + self.sigma * self.y

    def tell(self, f):
        d = self.m.size
        w = np.empty(self.n)
        w[np.argsort(f)] = self.w
        y = w @ self.y
        self.g += 1
        self.m += self.sigma * y
        self.p_sigma = (1 - self.c_sigma) * self.p_sigma + np.sqrt(self.c_sigma * (2 - self.c_sigma) * self.mu_eff) * (
            w @ self.z
        )
        length = np.linalg.norm(self.p_sigma)
        chi = expected_norm(d)
        self.sigma *= np.exp(self.c_sigma / self.d_sigma * (length / chi - 1))
        short = length / np.sqrt(1 - (1 - self.c_sigma) ** (2 * (self.g + 1))) < (1.4 + 2 / (d + 1)) * chi
        self.p_c = (1 - self.c_c) * self.p_c + short * np.sqrt(self.c_c * (2 - self.c_c) * self.mu_eff) * y
        delta = (1 - short) * self.c_c * (2 - self.c_c)
        self.C = (
            (1 + self.c_1 * delta - self.c_1 - self.c_mu) * self.C
            + self.c_1 * self.p_c**2
            + self.c_mu * (w @ self.y**2)
        )


def distance_exponent(d):
    """The root of (1 + a^2) exp(a^2/2)/0.24 = 10 + d."""
    low, high = 0.0, 8.0
    for _ in range(200):
        a = (low + high) / 2
        low, high = (low, a) if (1 + a * a) * np.exp(a * a / 2) / 0.24 > 10 + d else (a, high)
    return (low + high) / 2


class CrFmNes:
    """Nomura and Ono 2022, all candidates feasible."""

    def __init__(self, d, popsize, rng):
        self.rng, self.m, self.sigma, self.n, self.d = rng, np.full(d, 3.0), 2.0, popsize, d
        self.D, self.v = np.ones(d), rng.standard_normal(d) / np.sqrt(d)
        self.p_sigma, self.p_c = np.zeros(d), np.zeros(d)
        self.w = zero_sum_weights(popsize)
        m = self.mu_eff = 1 / ((self.w + 1 / popsize) ** 2).sum()
        self.c_sigma = (m + 2) / (d + m + 5)
        self.c_c = (4 + m / d) / (d + 4 + 2 * m / d)
        self.c_1 = 2 / ((d + 1.3) ** 2 + m) * (d - 5) / 6
        self.alpha = distance_exponent(d) * min(1, np.sqrt(popsize / d))
        self.eta_B = np.tanh((min(0.02 * popsize, 3 * np.log(d)) + 5) / (0.23 * d + 25))

    def ask(self):
        half = self.rng.standard_normal((self.n // 2, self.d))
        self.z = np.concatenate([half, -half])
        n = self.v @ self.v
        self.y = self.z + np.outer((np.sqrt(1 + n) - 1) / n * (self.z @ self.v), self.v)
        return self.m + self.sigma * self.D * self.y

    def tell(self, f):
        d, n = self.d, self.v @ self.v
        w = np.empty(self.n)
        w[np.argsort(f)] = self.w
        self.p_sigma = (1 - self.c_sigma) * self.p_sigma + np.sqrt(self.c_sigma * (2 - self.c_sigma) * self.mu_eff) * (
            w @ self.z
        )
        length, chi = np.linalg.norm(self.p_sigma), expected_norm(d)
        squares = (self.z**2).sum(axis=1)
        eta_sigma = 1.0
        if length >= chi:
            r = np.sqrt(squares)
            w = (w + 1 / self.n) * np.exp(self.alpha * (r - r.max()))
            w = w / w.sum() - 1 / self.n
        elif length >= 0.1 * chi:
            eta_sigma = np.tanh((0.024 * self.n + 0.7 * d + 20) / (d + 12))
        else:
            eta_sigma = 2 * np.tanh((0.025 * self.n + 0.75 * d + 10) / (d + 4))
        u = self.v / np.sqrt(n)
        along = self.y @ u
        step = self.D * (w @ self.y)
        self.m += self.sigma * step
        self.p_c = (1 - self.c_c) * self.p_c + np.sqrt(self.c_c * (2 - self.c_c) * self.mu_eff) * step
        self.move(
            u, n, self.eta_B * (w @ self.y**2), self.eta_B * ((w * along) @ self.y), self.eta_B * (w @ along**2)
        )
        self.sigma *= np.exp(eta_sigma / 2 * (w @ squares) / d)

    def move(self, u, n, s, t, squares):
        """The natural gradient of D and v, for the population and the path."""
        g, c_1 = 1 + n, self.c_1
        p = self.p_c / self.D
        along = u @ p
        t = t + c_1 * along * p
        s = s + c_1 * p**2 - n / g * u * t - c_1
        t = t - (squares + c_1 * along**2 + c_1 * g) / 2 * u
        u2 = u * u
        a = min(1, np.sqrt(n * n + (2 * g - np.sqrt(g)) / u2.max()) / (2 + n))
        b = -(1 - a * a) * n * n / g + 2 * a * a
        s = s - a / g * ((2 + n) * u * t - n * (u @ t) * u2)
        H = 2 - (b + 2 * a * a) * u2
        s = (s - b * (s / H @ u2) / (1 + b * (u2 / H @ u2)) * u2) / H
        t = t - a * ((2 + n) * u * s - (u2 @ s) * u)
        self.v = self.v + t / np.sqrt(n)
        self.D = self.D * np.clip(1 + s, 0.5, 2)
        self.D /= np.exp(np.log(self.D).mean() + np.log1p(self.v @ self.v) / (2 * self.d))


class LmMaEs:
    """Loshchilov, Glasmachers and Beyer 2018."""

    def __init__(self, d, popsize, rng):
        self.rng, self.m, self.sigma, self.n, self.t = rng, np.full(d, 3.0), 2.0, popsize, 0
        mu = popsize // 2
        self.w = np.zeros(popsize)
        self.w[:mu] = np.log(mu + 0.5) - np.log(np.arange(1, mu + 1))
        self.w /= self.w.sum()
        self.mu_w = 1 / (self.w**2).sum()
        j = np.arange(4 + int(3 * np.log(d)))
        self.c_s, self.c_d, self.c_c = 2 * popsize / d, 1 / (1.5**j * d), popsize / (4.0**j * d)
        self.p, self.M = np.zeros(d), np.zeros((j.size, d))

    def ask(self):
        self.z = self.rng.standard_normal((self.n, self.m.size))
        self.y = self.z.copy()
        for j in range(min(self.t, len(self.M))):
            self.y = (1 - self.c_d[j]) * self.y + self.c_d[j] * np.outer(self.y @ self.M[j], self.M[j])
        return self.m + self.sigma * self.y

    def tell(self, f):
        w = np.empty(self.n)
        w[np.argsort(f)] = self.w
        z = w @ self.z
        self.m += self.sigma * (w @ self.y)
        self.p = (1 - self.c_s) * self.p + np.sqrt(self.mu_w * self.c_s * (2 - self.c_s)) * z
        c = self.c_c[:, None]
        self.M = (1 - c) * self.M + np.sqrt(self.mu_w * c * (2 - c)) * z
        self.sigma *= np.exp(self.c_s / 2 * (self.p @ self.p / self.m.size - 1))
        self.t += 1


METHODS = {"snes": Snes, "sep-cma": SepCma, "cr-fm-nes": CrFmNes, "lm-ma-es": LmMaEs}
