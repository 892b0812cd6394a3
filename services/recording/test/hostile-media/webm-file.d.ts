/** An EBML element. @param id its identifier in hexadecimal */
export declare function element(id: string, ...content: Buffer[]): Buffer;
/** An EBML element that declares another length than it has; null for none. */
export declare function elementOfLength(id: string, declared: number | null, ...content: Buffer[]): Buffer;
/** A WebM file with one track of Opus. @param clusters its media. @param track more elements of the track */
export declare function webmFile(clusters: Buffer[], track?: Buffer[], codecPrivate?: Buffer<ArrayBuffer>): Buffer;
/** A cluster of blocks. @param atMs its time */
export declare function cluster(atMs: number, blocks: Buffer[]): Buffer;
/** A block of the only track. @param atMs after its cluster's time, below 32,768. @param lacing 0 for none, 2 for fixed, 4 for Xiph, 6 for EBML */
export declare function block(atMs: number, data: Buffer, lacing?: number): Buffer;
