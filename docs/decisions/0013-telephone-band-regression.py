"""Trains src/providers/speech/telephone-band.bin. Needs flite, ffmpeg, numpy and Debian's /usr/share/common-licenses.

    node -e "import('./src/providers/speech/mel-features.ts').then((m) => console.log(JSON.stringify(m.filters)))" > filters.json
    OMP_NUM_THREADS=1 python3 docs/decisions/0013-telephone-band-regression.py filters.json telephone-band.bin
"""
import json, os, random, re, subprocess, sys, tempfile
import numpy as np

FILTERS, CONTEXT, UNITS, EPOCHS, CALLS, LINES = 19, 7, 256, 8, int(os.environ.get('CALLS', '34')), 24
VOICES = ['slt', 'rms', 'awb', 'kal16']
MP3 = ['-ar', '8000', '-c:a', 'libmp3lame']
# What the line does, and in which calls: ffmpeg's default (24 kbit/s) in all of them.
LINE = {
    'mp3': (MP3 + ['-f', 'mp3'], range(0, CALLS)),
    'wav': (['-ar', '8000', '-f', 'wav'], range(0, CALLS, 2)),
    'mp3_32': (MP3 + ['-b:a', '32k', '-f', 'mp3'], range(1, CALLS, 2)),
    'mp3_16': (MP3 + ['-b:a', '16k', '-f', 'mp3'], range(0, CALLS, 3)),
    'ulaw': (['-af', 'highpass=f=300:p=2,lowpass=f=3400:p=2', '-ar', '8000', '-c:a', 'pcm_mulaw', '-f', 'wav'], range(0, CALLS, 2)),
}
TMP = tempfile.mkdtemp()
BANK = np.zeros((257, 25))
for j, f in enumerate(json.load(open(sys.argv[1]))):
    BANK[f['startBin']:f['startBin'] + len(f['weights']), j] = f['weights']
WINDOW = 0.54 - 0.46 * np.cos(2 * np.pi * np.arange(410) / 409)
I, J = np.arange(13)[:, None], np.arange(25)[None]
DCT = (1 + 11 * np.sin(I * np.pi / 22)) * np.where(I == 0, np.sqrt(1 / 25), np.sqrt(2 / 25) * np.cos(np.pi * I * (J + .5) / 25))


def log_energies(x):
    y = x.astype(float)
    y[1:] -= 0.97 * x[:-1].astype(float)
    at = np.arange(410)[None] + 160 * np.arange(max(0, (len(y) - 410) // 160 + 1))[:, None]
    return np.log(np.abs(np.fft.rfft(y[at] * WINDOW, 512)) ** 2 @ BANK + 1e-4)


def chunks():
    names = ['MPL-2.0', 'Artistic', 'GFDL-1.3', 'CC0-1.0', 'GPL-3', 'Apache-2.0']
    text = ' '.join(open('/usr/share/common-licenses/' + n, errors='ignore').read() for n in names)
    words = [w.lower() for w in re.findall(r"[A-Za-z']+", text) if len(w) > 1 or w in 'aI']
    rng, out, k = random.Random(1), [], 0
    while k < len(words):
        n = rng.randint(4, 14)
        out.append(' '.join(words[k:k + n]))
        k += n
    rng.shuffle(out)
    return out, rng


def speak(voice, text):
    subprocess.run(['flite', '-voice', voice, '-t', text, '-o', TMP + '/a.wav'], check=True)
    return np.frombuffer(open(TMP + '/a.wav', 'rb').read()[44:], '<i2')


def through(line, track):
    raw = ['-f', 's16le', '-ar', '16000', '-ac', '2']
    subprocess.run(['ffmpeg', '-v', 'error', '-y', *raw, '-i', 'pipe:0', '-bitexact', *line, TMP + '/b'], input=track.tobytes(), check=True)
    out = subprocess.run(['ffmpeg', '-v', 'error', '-i', TMP + '/b', '-ar', '16000', '-f', 's16le', '-'], capture_output=True, check=True)
    return np.frombuffer(out.stdout, '<i2').reshape(-1, 2)


def lag(a, b):
    n = min(len(a), len(b), 400000)
    c = np.fft.irfft(np.fft.rfft(b[:n].astype(float), 2 * n) * np.conj(np.fft.rfft(a[:n].astype(float), 2 * n)))
    near = np.concatenate([np.arange(2400), np.arange(-2400, 0)])
    return int(near[np.argmax(c[near])])


def around(logs):
    o = np.pad(logs[:, :FILTERS] - logs[:, :FILTERS].mean(0), ((CONTEXT, CONTEXT), (0, 0)), 'edge')
    return np.concatenate([o[k:k + len(logs)] for k in range(2 * CONTEXT + 1)], 1).astype('f4')


def corpus():
    texts, rng = chunks()
    X, Y = [], []
    pairs = [rng.sample(VOICES, 2) for _ in range(CALLS)]
    for call, pair in enumerate(pairs):
        at, placed = 120, []
        for k, text in enumerate(texts[call * LINES:(call + 1) * LINES]):
            x = speak(pair[k % 2], text)
            placed.append((k % 2, at * 16, x))
            at += round(len(x) / 16) + 600
        track = np.zeros((at * 16, 2), np.int16)
        for c, s, x in placed:
            track[s:s + len(x), c] = x
        for line, calls in LINE.values():
            if call not in calls:
                continue
            heard = through(line, track)
            late = lag(track[:, 1], heard[:, 1])
            for c, s, x in placed:
                first, last = max(0, s - 2400), s + len(x) + 2400
                clean = log_energies(track[first:last, c]) @ DCT.T
                narrow = log_energies(heard[max(0, first + late):last + late, c])
                n = min(len(clean), len(narrow))
                X.append(around(narrow[:n]))
                Y.append((clean[:n] - clean[:n].mean(0)).astype('f4'))
    return np.concatenate(X), np.concatenate(Y)


def train(X, Y):
    spread_x, spread_y, n = X.std(0), Y.std(0), len(X)
    X, Y = X / spread_x, Y / spread_y
    rng, width = np.random.default_rng(0), X.shape[1]
    linear = np.linalg.solve((X.T @ X).astype(float) + 10 * np.eye(width), X.T @ Y)
    P = [rng.normal(0, width ** -.5, (width, UNITS)), np.zeros(UNITS), rng.normal(0, .1 * UNITS ** -.5, (UNITS, 13)), np.zeros(13), linear]
    P = [p.astype('f4') for p in P]
    m, v, step = [p * 0 for p in P], [p * 0 for p in P], 0
    for epoch in range(EPOCHS):
        order, rate = rng.permutation(n), 2e-3 * (1 - epoch / EPOCHS) + 1e-5
        for s in range(0, n, 256):
            b = order[s:s + 256]
            x = X[b]
            h = np.maximum(0, x @ P[0] + P[1])
            d = (h @ P[2] + P[3] + x @ P[4] - Y[b]) / len(b)
            dh = (d @ P[2].T) * (h > 0)
            step += 1
            for i, g in enumerate([x.T @ dh, dh.sum(0), h.T @ d, d.sum(0), x.T @ d]):
                m[i] = .9 * m[i] + .1 * g
                v[i] = .999 * v[i] + .001 * g ** 2
                P[i] -= rate * (m[i] / (1 - .9 ** step)) / (np.sqrt(v[i] / (1 - .999 ** step)) + 1e-8)
    return [P[0].T / spread_x, P[1], (P[2] * spread_y).T, P[3] * spread_y, (P[4] * spread_y).T / spread_x, np.zeros(13)]


with open(sys.argv[2], 'wb') as out:
    layers = train(*corpus())
    out.write(np.array([FILTERS, CONTEXT, UNITS, 13], '<i4').tobytes())
    for layer in layers:
        out.write(np.ascontiguousarray(layer).astype('<f4').tobytes())
