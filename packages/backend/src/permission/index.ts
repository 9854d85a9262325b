export { permissionModule as default } from './module';
