import type { Container } from '../../src/media/sniff-media.ts';
/** A file that is made to cost the server more than an answer. */
export interface AttackFile {
    name: string;
    container: Container;
    /** Set where the file is only odd: it is processed. */
    harmless?: true;
    make: () => Buffer;
}
/** Files that ask for more disk, memory or time than an answer, and some that are only malformed on purpose. */
export declare const attackFiles: readonly AttackFile[];
