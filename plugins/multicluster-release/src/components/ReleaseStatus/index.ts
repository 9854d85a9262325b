export { quietColor } from './quietColor';
export { ReleaseStatus, statusColor } from './ReleaseStatus';
export {
  ClusterStateWord,
  HealthWord,
  readingKey,
  ReadingWord,
  ReleaseStateWord,
  StageStateWord,
  TargetStateWord,
} from './words';
