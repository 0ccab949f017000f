import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

export interface SunkMail {
  readonly mailbox: string;
  readonly subject: string;
  readonly messageId: string;
}

/**
 * A mail server for thousands of mails: it takes whatever comes and reads the receiver and the subject. For anything else
 * there is `MailServer`, which takes a hundred times as long for each.
 */
export class MailSink {
  readonly mails: SunkMail[] = [];
  /** The mailbox whose mails are to come again later. */
  deferred: string | undefined;
  /** How often that was said. */
  timesDeferred = 0;
  /** Runs when a mail was taken, before that is said. */
  onTaken: () => void | Promise<void> = () => undefined;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #waiting = new Set<() => void>();

  private constructor() {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async open(): Promise<MailSink> {
    const sink = new MailSink();
    sink.#server.listen(0, '127.0.0.1');
    await once(sink.#server, 'listening');
    return sink;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when so many mails are here. */
  async received(count: number): Promise<void> {
    while (this.mails.length < count) await new Promise<void>((resolve) => void this.#waiting.add(resolve));
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(socket: Socket): void {
    let rest = '';
    let mailbox = '';
    let isContent = false;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.write('220 sink\r\n');
    socket.on('data', (chunk) => {
      rest += chunk.toString();
      for (;;) {
        const end = isContent ? '\r\n.\r\n' : '\r\n';
        const at = rest.indexOf(end);
        if (at < 0) return;
        const text = rest.slice(0, at);
        rest = rest.slice(at + end.length);
        if (isContent) {
          isContent = false;
          void this.#take(socket, {
            mailbox,
            subject: headerOf(text, 'Subject'),
            messageId: headerOf(text, 'Message-ID'),
          });
          continue;
        }
        mailbox = /^RCPT TO:<([^>]*)>/i.exec(text)?.[1] ?? mailbox;
        isContent = /^DATA$/i.test(text);
        socket.write(isContent ? '354 go on\r\n' : this.#answerTo(text, mailbox));
        if (/^QUIT$/i.test(text)) socket.end();
      }
    });
  }

  #answerTo(command: string, mailbox: string): string {
    if (!/^RCPT/i.test(command) || mailbox !== this.deferred) return '250 fine\r\n';
    this.timesDeferred += 1;
    return '451 try again later\r\n';
  }

  async #take(socket: Socket, mail: SunkMail): Promise<void> {
    this.mails.push(mail);
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
    await this.onTaken();
    if (!socket.destroyed) socket.write('250 taken\r\n');
  }
}

/** On as many lines as it has. */
function headerOf(text: string, name: string): string {
  const [, value = ''] = new RegExp(`^${name}:(.*(?:\\r\\n[ \\t].*)*)`, 'im').exec(text) ?? [];
  return value.replaceAll(/\r\n[ \t]/g, ' ').trim();
}
