export { quietColor } from './quietColor';
export { ReleaseStatus, statusColor } from './ReleaseStatus';
export {
  ClusterStateWord,
  HealthWord,
  ReleaseStateWord,
  StageStateWord,
  TargetStateWord,
} from './words';
