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
    const answer = answers[request.url.slice(1)] ?? body;
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) });
    response.end(answer);
  });
}).listen(port, host);
