export { ReleaseCard } from './ReleaseCard';
