// SHA-256 (FIPS 180-4) and HMAC (RFC 2104). Browsers have WebCrypto on https and on localhost alone; where a server is
// reached by a plain address in the own network, the hash is computed here.
const BLOCK = 64;

export async function sha256(bytes) {
  return crypto.subtle ? new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)) : sha256Here(bytes);
}

// For keys of up to 64 bytes.
export async function hmac(key, message) {
  const padded = (byte) => Uint8Array.from({ length: BLOCK }, (_, k) => (key[k] ?? 0) ^ byte);
  return sha256(concat([padded(0x5c), await sha256(concat([padded(0x36), message]))]));
}

export function concat(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const PRIMES = [];
for (let n = 2; PRIMES.length < BLOCK; n++) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);

// The first 32 bits behind the point of a root. That of a double is exact enough: 53 bits, of which 5 are before the point.
const fraction = (root) => ((root % 1) * 2 ** 32) | 0;
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const turn = (word, by) => (word >>> by) | (word << (32 - by));

export function sha256Here(bytes) {
  const size = Math.ceil((bytes.length + 9) / BLOCK) * BLOCK;
  const padded = new Uint8Array(size);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(size - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(size - 4, bytes.length << 3);
  const state = Int32Array.from(START);
  for (let at = 0; at < size; at += BLOCK) takeBlock(state, view, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, k) => digest.setInt32(4 * k, word));
  return new Uint8Array(digest.buffer);
}

function takeBlock(state, view, at) {
  const words = new Int32Array(BLOCK);
  for (let k = 0; k < BLOCK; k++) {
    if (k < 16) words[k] = view.getInt32(at + 4 * k);
    else {
      const [early, late] = [words[k - 15], words[k - 2]];
      const low = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
      words[k] = words[k - 16] + low + words[k - 7] + (turn(late, 17) ^ turn(late, 19) ^ (late >>> 10));
    }
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let k = 0; k < BLOCK; k++) {
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[k] + words[k]) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, k) => (state[k] += word));
}
