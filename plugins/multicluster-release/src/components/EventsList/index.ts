export { EventsList } from './EventsList';
