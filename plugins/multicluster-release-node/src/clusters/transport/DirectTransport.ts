import { Agent } from 'undici';
import { renewCredential } from './renewCredential';
import { sendOver } from './sendOver';
import { endStrayStreams } from './strayStreams';
import type {
  Credential,
  CredentialSource,
  Transport,
  TransportAnswer,
  TransportRequest,
} from './types';

export interface DirectTransportOptions {
  /** For example `https://10.0.0.1:6443`; a path in it is put before every request's. */
  server: string;
  /** PEM of the authorities to trust; undefined: those of the system. */
  certificateAuthority?: string;
  /** The name that the certificate must bear, where it differs from the address. */
  tlsServerName?: string;
  insecureSkipTlsVerify?: boolean;
  /** Act as this user, where the credential may. */
  impersonateUser?: string;
  /** For calls; where the server speaks HTTP/1, so many run at a time. Default 4. */
  connections?: number;
  credentials: CredentialSource;
}

/** Calls and watches are apart: an API server allows 100 streams per connection, and watches never end. */
interface Agents {
  calls: Agent;
  watches: Agent;
  certificate?: string;
  key?: string;
}

const CALL_CONNECTIONS = 4;
const CONNECT_MILLISECONDS = 5_000;
const KEEP_ALIVE_MILLISECONDS = 60_000;
/** A dead HTTP/2 connection is found within two of these. */
const PING_MILLISECONDS = 5_000;

/** Dials an API server over connections of its own. */
export class DirectTransport implements Transport {
  private readonly origin: string;
  private readonly pathPrefix: string;
  private agents: Agents | undefined;

  constructor(private readonly options: DirectTransportOptions) {
    const url = new URL(options.server);
    this.origin = url.origin;
    this.pathPrefix = url.pathname.replace(/\/+$/, '');
    endStrayStreams();
  }

  async send(request: TransportRequest): Promise<TransportAnswer> {
    const credential = await this.options.credentials.current();
    const agents = this.agentsFor(credential);
    const answer = await sendOver(request.stream ? agents.watches : agents.calls, this.origin, {
      ...request,
      path: `${this.pathPrefix}${request.path}`,
      headers: { ...request.headers, ...credential.headers, ...this.impersonation() },
    });
    return { ...answer, renew: () => renewCredential(this.options.credentials, credential) };
  }

  async close(): Promise<void> {
    const agents = this.agents;
    this.agents = undefined;
    await Promise.all([agents?.calls.destroy(), agents?.watches.destroy()]);
  }

  private impersonation(): Record<string, string> {
    const { impersonateUser } = this.options;
    return impersonateUser ? { 'impersonate-user': impersonateUser } : {};
  }

  private agentsFor(credential: Credential): Agents {
    const { certificate, key } = credential;
    if (this.agents && this.agents.certificate === certificate && this.agents.key === key) {
      return this.agents;
    }
    // A certificate is part of the connection: a new one needs new connections; the old ones end with their requests.
    const old = this.agents;
    this.agents = {
      certificate,
      key,
      calls: this.makeAgent(credential, this.options.connections ?? CALL_CONNECTIONS),
      watches: this.makeAgent(credential, undefined),
    };
    old?.calls.close().catch(() => {});
    old?.watches.close().catch(() => {});
    return this.agents;
  }

  private makeAgent(credential: Credential, connections: number | undefined): Agent {
    const { certificateAuthority, tlsServerName, insecureSkipTlsVerify } = this.options;
    return new Agent({
      allowH2: true,
      h2Options: { pingInterval: PING_MILLISECONDS },
      connections,
      keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
      connect: {
        timeout: CONNECT_MILLISECONDS,
        ca: certificateAuthority,
        cert: credential.certificate,
        key: credential.key,
        servername: tlsServerName,
        // Said in words, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off for all.
        rejectUnauthorized: !insecureSkipTlsVerify,
      },
    });
  }
}
