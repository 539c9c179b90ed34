// Runs std.Random of Zig with a generator that returns given words. zig.c reads the input and prints the output.
const std = @import("std");

extern fn next_word() u64;
extern fn run() c_int;

pub export fn main() c_int {
    return run();
}

fn fill(_: *anyopaque, bytes: []u8) void {
    const word = next_word();
    for (bytes, 0..) |*byte, i| byte.* = @truncate(word >> @intCast(8 * i));
}

var nothing: u8 = 0;
const random = std.Random{ .ptr = &nothing, .fillFn = fill };

export fn less_than_32(n: u32) u32 {
    return random.uintLessThan(u32, n);
}

export fn less_than_64(n: u64) u64 {
    return random.uintLessThan(u64, n);
}

export fn less_than_biased_32(n: u32) u32 {
    return random.uintLessThanBiased(u32, n);
}
