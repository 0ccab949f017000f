// The upper bound: node:http reads the body and answers constant bytes, those of a right answer to the case in the path.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { host, port, stateDir } from '../common/config.mjs';

const answers = JSON.parse(readFileSync(`${stateDir}/answers.json`, 'utf8'));
createServer((request, response) => {
  request.setEncoding('utf8');
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    const { status, text } = answers[request.url.slice(1)] ?? { status: 200, text: body };
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.end(text);
  });
}).listen(port, host);
