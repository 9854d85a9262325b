import { execFile } from 'node:child_process';
import type { Timing } from '../Timing';
import { CredentialError, type Credential, type CredentialSource } from './types';

/** A program that hangs, for example on a question, is ended after this. */
const RUN_MILLISECONDS = 30_000;
/** A credential is replaced this long before it expires. */
const MARGIN_MILLISECONDS = 30_000;
const OUTPUT_BYTES = 1024 * 1024;

/** The `exec` part of a kubeconfig user. */
export interface ExecSpec {
  apiVersion: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Told to the program when it asked for it (`provideClusterInfo`). */
  cluster?: Record<string, unknown>;
}

interface ExecAnswer {
  kind?: unknown;
  status?: {
    token?: unknown;
    clientCertificateData?: unknown;
    clientKeyData?: unknown;
    expirationTimestamp?: unknown;
  };
}

/**
 * A credential from a program. It is made only for contexts that an
 * administrator named (C15), and its program runs once per life of a credential.
 */
export class ExecCredential implements CredentialSource {
  private known: { credential: Credential; expiresAt: number } | undefined;
  private running: Promise<Credential> | undefined;

  constructor(private readonly spec: ExecSpec, private readonly timing: Pick<Timing, 'now'>) {}

  async current(): Promise<Credential> {
    if (this.known && this.timing.now() < this.known.expiresAt - MARGIN_MILLISECONDS) {
      return this.known.credential;
    }
    return this.obtain();
  }

  async renew(): Promise<void> {
    await this.obtain();
  }

  private obtain(): Promise<Credential> {
    this.running ??= this.run().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async run(): Promise<Credential> {
    const answer = parse(this.spec.command, await this.execute());
    const { token, clientCertificateData, clientKeyData, expirationTimestamp } =
      answer.status ?? {};
    const credential: Credential = { headers: {} };
    if (typeof token === 'string' && token !== '') {
      credential.headers.authorization = `Bearer ${token}`;
    }
    if (typeof clientCertificateData === 'string' && typeof clientKeyData === 'string') {
      credential.certificate = clientCertificateData;
      credential.key = clientKeyData;
    }
    if (!credential.headers.authorization && !credential.certificate) {
      throw new CredentialError(
        `the program ${this.spec.command} gave neither a token nor a certificate`,
      );
    }
    const expiresAt = Date.parse(String(expirationTimestamp));
    this.known = { credential, expiresAt: Number.isNaN(expiresAt) ? Infinity : expiresAt };
    return credential;
  }

  private execute(): Promise<string> {
    const { apiVersion, command, args, env, cluster } = this.spec;
    const information = {
      apiVersion,
      kind: 'ExecCredential',
      spec: { interactive: false, cluster },
    };
    return new Promise((resolve, reject) => {
      execFile(
        command,
        args,
        {
          env: { ...process.env, ...env, KUBERNETES_EXEC_INFO: JSON.stringify(information) },
          timeout: RUN_MILLISECONDS,
          killSignal: 'SIGKILL',
          maxBuffer: OUTPUT_BYTES,
        },
        (error, output) => {
          if (!error) {
            resolve(output);
            return;
          }
          // Neither output nor error text is repeated: a program may print its credential.
          const how = error.killed
            ? 'did not end in time'
            : `failed (${error.code ?? error.signal})`;
          reject(new CredentialError(`the program ${command} ${how}; run it by hand to see why`));
        },
      );
    });
  }
}

function parse(command: string, output: string): ExecAnswer {
  try {
    const answer: ExecAnswer = JSON.parse(output);
    if (answer.kind === 'ExecCredential') {
      return answer;
    }
  } catch {
    // Answered below, without the text: it may be a credential.
  }
  throw new CredentialError(`the program ${command} did not print an ExecCredential`);
}
