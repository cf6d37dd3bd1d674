//! The atomics of the structures without locks: the standard library's, or loom's, which go through all that threads
//! may see of them (`--cfg loom`).

#[cfg(not(loom))]
pub(super) use bytemuck::allocation::try_zeroed_slice_box;
#[cfg(loom)]
pub(super) use loom::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};
#[cfg(not(loom))]
pub(super) use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

/// Zeros one by one, since loom's atomics keep a history and are not made of zero bytes.
#[cfg(loom)]
pub(super) fn try_zeroed_slice_box<T: Default>(count: usize) -> Result<Box<[T]>, ()> {
    Ok((0..count).map(|_| T::default()).collect())
}
