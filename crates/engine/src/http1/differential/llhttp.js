// Reads responses from standard input, each as a byte that says whether a HEAD was sent, its length (32 bits, little
// endian) and its bytes, and prints what llhttp, the parser within Node.js, makes of each: one line of JSON.
'use strict';

const { HTTPParser } = process.binding('http_parser');

const HEAD_BYTES_MAX = 64 * 1024;
const STRICT = 0;

// Everything that comes from `data`, the end of the connection left out.
function parse(data, toHead) {
  const parser = new HTTPParser();
  parser.initialize(HTTPParser.RESPONSE, {}, HEAD_BYTES_MAX, STRICT);
  const found = { parser, responses: [], current: null, upgrade: false, error: null };
  parser[HTTPParser.kOnHeadersComplete] = (_major, _minor, _headers, _method, _url, status, _reason, upgrade, keepAlive) => {
    found.current = { status, body: 0, keepAlive };
    found.upgrade = upgrade;
    return toHead ? 1 : 0;
  };
  parser[HTTPParser.kOnBody] = (part) => {
    found.current.body += part.length;
  };
  parser[HTTPParser.kOnMessageComplete] = () => {
    found.responses.push(found.current);
    found.current = null;
  };
  // No bytes at all would be the end of the connection.
  const result = data.length > 0 ? parser.execute(data) : 0;
  if (result instanceof Error) {
    found.error = { code: result.code, reason: result.reason, at: result.bytesParsed };
  }
  return found;
}

// The shortest beginning of `data` in which `count` responses are complete.
function endOf(count, data, toHead) {
  let [low, high] = [0, data.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const found = parse(data.subarray(0, middle), toHead);
    found.parser.close();
    if (found.responses.length >= count) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

function rest({ parser, responses, upgrade, error }) {
  if (error) {
    return { error };
  }
  if (upgrade) {
    return { upgrade };
  }
  const before = responses.length;
  parser.finish();
  return responses.length > before ? { close: responses.pop() } : {};
}

function read(data, toHead) {
  const found = parse(data, toHead);
  const last = rest(found);
  found.parser.close();
  const responses = found.responses.map((it, index) => ({ ...it, end: endOf(index + 1, data, toHead) }));
  return { responses, ...last };
}

const input = require('fs').readFileSync(0);
const lines = [process.versions.llhttp];
for (let at = 0; at < input.length; ) {
  const [toHead, length] = [input[at] === 1, input.readUInt32LE(at + 1)];
  lines.push(JSON.stringify(read(input.subarray(at + 5, at + 5 + length), toHead)));
  at += 5 + length;
}
process.stdout.write(`${lines.join('\n')}\n`);
