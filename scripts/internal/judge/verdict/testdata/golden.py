# Makes golden.json: what scipy says of the statistics that moderate.go works out.
#
#   pip install numpy==2.4.6 scipy==1.17.1
#   python3 testdata/golden.py > testdata/golden.json
import json
import numpy as np
from scipy import optimize, special, stats

rng = np.random.default_rng(7)


def fit(variances, frees, cap=30.0):
    """Smyth 2004, section 6.2: moments of the logarithms of variances."""
    half = np.array(frees) / 2
    e = np.log(variances) - special.digamma(half) + np.log(half)
    between = e.var(ddof=1) - special.polygamma(1, half).mean()
    free = cap
    if between > 0:
        free = min(cap, 2 * optimize.brentq(lambda x: special.polygamma(1, x) - between, 1e-6, 1e9))
    return free, float(np.exp(e.mean() + special.digamma(free / 2) - np.log(free / 2)))


fits = []
for spread, free, n in [(0.0, 11, 60), (0.2, 11, 200), (0.4, 3, 120), (0.6, 7, 50), (1.0, 3, 80)]:
    sds = 0.03 * np.exp(rng.normal(0, spread, n))
    frees = [free if i % 3 else max(2, free // 2) for i in range(n)]
    variances = [s * s * rng.chisquare(f) / f for s, f in zip(sds, frees)]
    d0, s2 = fit(variances, frees)
    fits.append({"NoiseHistory": [{"variance": v, "free": f} for v, f in zip(variances, frees)], "free": d0, "variance": s2})

tests = []
for n in [2, 4, 8, 12]:
    for d0, s2 in [(0.0, 0.0), (4.6, 0.0009), (30.0, 0.0004)]:
        values = rng.normal(0.02, 0.02, n)
        free = d0 + n - 1
        se = np.sqrt((d0 * s2 + (n - 1) * values.var(ddof=1)) / free / n)
        t = stats.t(free)
        tests.append({
            "values": values.tolist(), "prior": {"free": d0, "variance": s2}, "p": 2 * t.sf(abs(values.mean()) / se),
            "within": se * t.ppf(1 - 0.05 / 2), "missed": se * (t.ppf(1 - 0.0004 / 2) + t.ppf(0.8)),
        })

print(json.dumps({"fits": fits, "tests": tests}))
