import type {
  AuditorService,
  AuthService,
  HttpAuthService,
  LoggerService,
  UserInfoService,
} from '@backstage/backend-plugin-api';
import type { CatalogService } from '@backstage/plugin-catalog-node';
import type { Timing } from 'backstage-plugin-multicluster-release-node';
import type { CommandContext } from '../commands/CommandContext';
import type { DefinitionReader } from '../commands/definitions/DefinitionReader';
import type { Authorizer } from '../permissions/Authorizer';
import type { LiveHealth } from './LiveHealth';
import type { ReleaseNews } from './ReleaseNews';

/** What the routes work with. */
export interface HttpContext {
  commands: CommandContext;
  definitions: DefinitionReader;
  authorizer: Authorizer;
  auth: Pick<AuthService, 'isPrincipal' | 'getOwnServiceCredentials'>;
  httpAuth: HttpAuthService;
  userInfo: UserInfoService;
  catalog: Pick<CatalogService, 'getEntityByRef' | 'getEntitiesByRefs'>;
  auditor: AuditorService;
  logger: LoggerService;
  news: ReleaseNews;
  live: LiveHealth;
  timing: Timing;
  engine: { driving(): string[] };
  /** Identifies this replica. */
  replica: string;
  /** Aborted when the backend shuts down: streams and long polls end. */
  shutdown: AbortSignal;
}
