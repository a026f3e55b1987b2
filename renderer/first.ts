import { takeKey } from '../app/contract/session.ts';

// A module of its own, because a module runs after all that it imports: the key leaves the address before any other.
takeKey();
