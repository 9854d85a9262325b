import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';

interface Kubeconfig {
  clusters: { name: string; cluster: { server: string; 'certificate-authority-data': string } }[];
  users: { name: string; user: { token: string } }[];
}

interface Connection {
  server: string;
  token: string;
  agent: Agent;
}

const PATHS: Record<string, string> = {
  Deployment: '/apis/apps/v1/namespaces/{}/deployments',
  ConfigMap: '/api/v1/namespaces/{}/configmaps',
  Service: '/api/v1/namespaces/{}/services',
};

/** The least that a release can cost: concurrent applies over kept connections, then asking until ready. */
export class BareLoop {
  private readonly connections: Connection[];

  constructor(kubeconfigPath: string, clusters: string[]) {
    // The development harness writes its kubeconfig as JSON.
    const config: Kubeconfig = JSON.parse(readFileSync(kubeconfigPath, 'utf8'));
    this.connections = clusters.map(name => {
      const found = config.clusters.find(entry => entry.name === name);
      const user = config.users.find(entry => entry.name === name);
      if (!found || !user) {
        throw new Error(`${kubeconfigPath} has no context ${name}`);
      }
      const ca = Buffer.from(found.cluster['certificate-authority-data'], 'base64');
      return {
        server: found.cluster.server,
        token: user.user.token,
        agent: new Agent({ keepAlive: true, ca }),
      };
    });
  }

  async release(
    objects: { kind: string; metadata: { name: string } }[],
    namespace: string,
  ): Promise<void> {
    await Promise.all(
      this.connections.map(connection => this.releaseOne(connection, objects, namespace)),
    );
  }

  /** Resolves once one of the clusters is asked to run that version of the service. */
  async firstWith(version: string, namespace: string): Promise<void> {
    let found = false;
    await Promise.all(
      this.connections.map(async connection => {
        while (!found) {
          found ||= (await imageOn(connection, namespace)).endsWith(`:${version}`);
          await new Promise(resolve => {
            setTimeout(resolve, 5);
          });
        }
      }),
    );
  }

  close(): void {
    this.connections.forEach(({ agent }) => agent.destroy());
  }

  private async releaseOne(
    connection: Connection,
    objects: { kind: string; metadata: { name: string } }[],
    namespace: string,
  ): Promise<void> {
    await Promise.all(
      objects.map(object => {
        const path = `${PATHS[object.kind].replace('{}', namespace)}/${object.metadata.name}`;
        return send(connection, 'PATCH', `${path}?fieldManager=bare&force=true`, object);
      }),
    );
    while (!isReady(await send(connection, 'GET', deploymentPath(namespace)))) {
      await new Promise(resolve => {
        setTimeout(resolve, 20);
      });
    }
  }
}

function deploymentPath(namespace: string): string {
  return `${PATHS.Deployment.replace('{}', namespace)}/checkout`;
}

async function imageOn(connection: Connection, namespace: string): Promise<string> {
  const { spec } = await send(connection, 'GET', deploymentPath(namespace));
  return spec.template.spec.containers[0].image;
}

interface LiveDeployment {
  metadata: { generation: number };
  spec: { replicas: number; template: { spec: { containers: { image: string }[] } } };
  status?: {
    observedGeneration?: number;
    replicas?: number;
    updatedReplicas?: number;
    availableReplicas?: number;
  };
}

function isReady({ metadata, spec, status }: LiveDeployment): boolean {
  return (
    status?.observedGeneration === metadata.generation &&
    status.updatedReplicas === spec.replicas &&
    status.replicas === spec.replicas &&
    status.availableReplicas === spec.replicas
  );
}

function send(
  connection: Connection,
  method: string,
  path: string,
  body?: object,
): Promise<LiveDeployment> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${connection.server}${path}`,
      {
        method,
        agent: connection.agent,
        headers: {
          authorization: `Bearer ${connection.token}`,
          'content-type': 'application/apply-patch+yaml',
        },
      },
      response => {
        let text = '';
        response.on('data', chunk => {
          text += chunk;
        });
        response.on('end', () => {
          if ((response.statusCode ?? 500) >= 300) {
            reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
          } else {
            resolve(JSON.parse(text));
          }
        });
      },
    );
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
