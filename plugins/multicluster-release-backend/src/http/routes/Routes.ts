import type { Router } from 'express';
import type { HttpContext } from '../HttpContext';

/** Adds its routes to the router; each group of routes is one file. */
export type Routes = (router: Router, context: HttpContext) => void;
