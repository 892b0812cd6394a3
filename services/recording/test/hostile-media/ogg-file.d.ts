/** A page of an Ogg file with one packet of less than 64 kB. @param flags 2 for a stream's first page, 4 for its last */
export declare function oggPage(packet: Buffer, page: {
    serial?: number;
    number: number;
    granule: bigint;
    flags?: number;
}): Buffer;
export declare const opusHead: Buffer<ArrayBuffer>;
export declare const opusTags: Buffer<ArrayBuffer>;
